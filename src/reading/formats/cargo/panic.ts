/** A panic printed outside of a captured block, under `--nocapture` or by a program of its own. */
import type { Block, Line } from '../../format.js';
import { isFrame, panicOf } from '../shared/rust-panic.js';
import { SECTION, TALLY } from './shapes.js';
import { statusOf } from './status.js';
import type { Story } from './story.js';
import { rerun } from './target.js';

/** Some multiplexers drop blank lines. */
const MESSAGE_LINES = 40;
const STATUS_ALONE = /^(?:.* )?(?:ok|FAILED)$/;

/** Its message and backtrace, where nothing else says how far they go: a blank line and any known shape end them. */
export class PanicBlock implements Block {
  #frames = false;
  #left = MESSAGE_LINES;

  constructor(
    readonly story: Story,
    readonly added: (line: Line) => void = () => {},
  ) {}

  line(line: Line): 'more' | 'last' | undefined {
    const { text } = line;
    if (this.#frames ? !isFrame(text) : this.#ended(text)) return undefined;
    this.#frames ||= text === 'stack backtrace:';
    this.story.add(line);
    this.added(line);
    return text.startsWith('note: ') ? 'last' : 'more';
  }

  #ended(text: string): boolean {
    return (
      text === '' ||
      this.#left-- === 0 ||
      panicOf(text) !== undefined ||
      statusOf(text) !== undefined ||
      STATUS_ALONE.test(text) ||
      SECTION.test(text) ||
      TALLY.test(text) ||
      rerun(text) !== undefined
    );
  }
}
