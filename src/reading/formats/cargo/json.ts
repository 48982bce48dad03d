/** libtest's `--format json` (nightly): the same facts, one object a line. */
import type { Line, Out } from '../../format.js';
import type { Run } from './run.js';
import { Story } from './story.js';

interface Event {
  type?: string;
  event?: string;
  test_count?: number;
  name?: string;
  stdout?: string;
  message?: string;
  passed?: number;
  failed?: number;
  ignored?: number;
  filtered_out?: number;
}

interface Handler {
  begin(promised: number): void;
  run(): Run;
  outcomes: Out;
}

export function libtestJson(line: Line, { begin, run, outcomes }: Handler): undefined | 'mine' {
  if (!line.text.startsWith('{ "type": "')) return undefined;
  const event = parse(line.text);
  if (event?.type === 'suite') suite(event, line, begin, run);
  else if (event?.type === 'test' && event.name !== undefined) test(event, event.name, line, run, outcomes);
  else return undefined;
  return 'mine';
}

function suite(event: Event, line: Line, begin: Handler['begin'], run: () => Run): void {
  if (event.event === 'started') begin(event.test_count ?? 0);
  if (event.passed === undefined || event.failed === undefined) return;
  const skipped = event.ignored ?? 0;
  const filtered = event.filtered_out ?? 0;
  run().ended({ passed: event.passed, failed: event.failed, skipped }, filtered, line);
}

function test(event: Event, name: string, line: Line, run: () => Run, out: Out): void {
  if (out.outcomes && event.event === 'ok') out.outcome('passed', name, line);
  if (out.outcomes && event.event === 'ignored') out.outcome('skipped', name, line);
  if (event.event !== 'failed') return;
  const story = new Story(false);
  const output = [event.stdout, event.message && `note: ${event.message}`].filter(Boolean).join('\n');
  for (const text of output.split('\n')) story.add({ ...line, text });
  run().failed(name, line);
  run().story(name, line, story);
}

/** A line longer than the engine hands over is cut in the middle of a string: its head says enough. */
function parse(text: string): Event | undefined {
  try {
    return JSON.parse(text) as Event;
  } catch {
    const [, type, name, event] = /^\{ "type": "(\w+)", "name": "([^"\\]+)", "event": "(\w+)"/.exec(text) ?? [];
    return type === undefined ? undefined : ({ type, name, event } as Event);
  }
}
