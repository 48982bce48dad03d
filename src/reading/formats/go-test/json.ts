/**
 * go test -json: an event a line. The verdicts are taken from the events, never from the text in them, so that a test
 * that prints what a runner prints is no trap; the text is looked up behind the verdict.
 */
import type { Line, Out } from '../../format.js';
import type { Build } from './build.js';
import { Failing } from './failing.js';
import { DEATH, deathId, GOROUTINE, headline, place } from './stack.js';

interface Event {
  Action?: string;
  Package?: string;
  ImportPath?: string;
  Test?: string;
  Output?: string;
}

const EVENT = /^\{"(?:Time|Action|ImportPath)":"[^"]*","[A-Z]/;
const HEAD = /"(Action|Package|ImportPath|Test)":"((?:[^"\\]|\\.)*)"/g;
const UNBUILT = /^FAIL\t.*\[((?:build|setup) failed)\]/;
/** What the runner says of a test. */
const RUNNER = /^=== (?:RUN|CONT|PAUSE|NAME|ATTR|ARTIFACTS) |^\s*--- (?:FAIL|PASS|SKIP): /;
const OK = /^ok {2}\t\S+\t/;
/** How many events are looked through for what a test said. */
const BACK = 2000;

export const isEvent = (text: string): boolean => EVENT.test(text);

/** A line longer than the engine hands over is cut in the middle of a string: its head says enough. */
function parse(text: string): Event {
  try {
    return JSON.parse(text) as Event;
  } catch {
    return Object.fromEntries([...text.slice(0, 1000).matchAll(HEAD)].map(([, key, value]) => [key, value]));
  }
}

export class TestJson {
  readonly #out: Out;
  readonly #build: Build;
  /** How many tests failed in each package that has not ended. */
  #failing = new Map<string, number>();
  /** Looking back costs: at most so many events in all, by how far the log has come. */
  #walked = 0;
  /** The first word of each package's death. */
  #deaths = new Map<string, { line: Line; event: Event; sure: boolean }>();

  constructor(out: Out, build: Build) {
    this.#out = out;
    this.#build = build;
  }

  line(line: Line): undefined | 'mine' {
    const event = parse(line.text);
    const { Action: action, Test: test, Package: pkg = '' } = event;
    if (action === 'build-fail') this.#unbuilt(event);
    else if (action === 'output' && DEATH.test(event.Output ?? '')) this.#died(pkg, line, event);
    else if (action === 'output' && GOROUTINE.test((event.Output ?? '').trimEnd())) this.#confirm(pkg);
    else if (test !== undefined && action === 'fail') this.#failed(pkg, test, line);
    else if (test !== undefined && (action === 'pass' || action === 'skip'))
      this.#out.outcome(action === 'pass' ? 'passed' : 'skipped', `${pkg} ${test}`, line, { suite: pkg, name: test });
    else if (test === undefined && action === 'output' && OK.test(event.Output ?? '')) this.#green(pkg, line, event);
    else if (action === 'fail') this.#red(pkg, line);
    else return undefined;
    return 'mine';
  }

  #died(pkg: string, line: Line, event: Event): void {
    if (this.#deaths.get(pkg)?.sure !== true) this.#deaths.set(pkg, { line, event, sure: false });
  }

  /** Goroutines follow: those were its last words indeed. */
  #confirm(pkg: string): void {
    const death = this.#deaths.get(pkg);
    if (death !== undefined) death.sure = true;
  }

  /** What this package, or this test of it, printed until now; oldest first. */
  #said(pkg: string, test?: string): Line[] {
    const said: Line[] = [];
    for (let n = 1; n <= BACK; n++) {
      const line = this.#out.back(n);
      if (line === undefined || ++this.#walked > line.no * 8 + 4000) break;
      if (!isEvent(line.text)) continue;
      const event = parse(line.text);
      if ((event.Package ?? '') !== pkg || (test !== undefined && event.Test !== test)) continue;
      if (event.Action === 'run' && test !== undefined) break;
      if (event.Action === 'start') break;
      if (event.Action === 'output' && event.Output !== undefined)
        said.unshift({ ...line, text: event.Output.replace(/\n$/, '') });
    }
    return said;
  }

  #failed(pkg: string, test: string, line: Line): void {
    const said = this.#said(pkg, test).filter(({ text }) => !RUNNER.test(text) || !text.includes(test));
    const dead = this.#deaths.get(pkg)?.sure ? said.findIndex(({ text }) => DEATH.test(text)) : -1;
    const failing = new Failing(this.#out, test, { ...line, text: '' }, said, `${pkg} ${test}`);
    Object.assign(failing.draft.fields, { id: `${pkg} ${test}`, suite: pkg, name: test });
    this.#failing.set(pkg, (this.#failing.get(pkg) ?? 0) + 1);
    if (failing.raced) Object.assign(failing.draft.fields, place(said.map(one => one.text)));
    if (dead >= 0) {
      Object.assign(failing.draft.fields, place(said.slice(dead).map(one => one.text)), {
        message: headline((said[dead] as Line).text),
      });
      this.#deaths.delete(pkg);
      this.#out.early('crash');
    }
  }

  #green(pkg: string, line: Line, event: Event): void {
    if (!event.Output?.includes('[no tests to run]'))
      this.#out.tally({ suite: pkg, result: 'passed', counted: 0 }, line);
    this.#close(pkg);
  }

  #red(pkg: string, line: Line): void {
    const [, why] = UNBUILT.exec(this.#said(pkg).at(-1)?.text ?? '') ?? [];
    if (why !== undefined) {
      const fields = { kind: 'build', id: pkg, suite: pkg, message: why } as const;
      if (why === 'build failed') this.#out.consequence(fields, line);
      else if (!this.#build.any) this.#out.failure(fields, line);
    } else {
      const failing = this.#failing.get(pkg) ?? 0;
      if (failing === 0 || this.#deaths.get(pkg)?.sure) this.#crashed(pkg, line);
      this.#out.tally({ ...(pkg && { suite: pkg }), result: 'failed', counted: 1 }, line);
    }
    this.#close(pkg);
  }

  #close(pkg: string): void {
    this.#failing.delete(pkg);
    this.#deaths.delete(pkg);
    this.#out.close(undefined, 'runs');
  }

  /** It died outside of a test, or exited. */
  #crashed(pkg: string, line: Line): void {
    const said = this.#said(pkg);
    const known = this.#deaths.get(pkg);
    const death = known?.sure || !this.#failing.has(pkg) ? known : undefined;
    const first = death && said.find(one => one.no === death.line.no);
    const last = said.findLast(({ text }) => !/^(?:FAIL\b.*|PASS|exit status \d+|=== .*|\s*--- .*|)$/.test(text));
    const word = death ? headline((death.event.Output ?? '').trimEnd()) : undefined;
    const id = word === undefined ? pkg : `${pkg} ${deathId(word)}`;
    const test = death?.event.Test ?? (last && this.#testOf(last));
    const draft = this.#out.part('status', id, death?.line ?? line, {
      kind: 'crash',
      id,
      suite: pkg,
      ...(test && { name: test }),
      message: word ?? last?.text.trim() ?? 'the package failed, no test did',
      ...(first && place(said.slice(said.indexOf(first)).map(one => one.text))),
    });
    for (const one of first ? said.slice(said.indexOf(first)) : last ? [last] : []) draft.add(one);
    this.#out.early('crash');
  }

  #testOf(line: Line): string | undefined {
    for (let n = 1; n <= BACK; n++) {
      const before = this.#out.back(n);
      if (before === undefined) return undefined;
      if (before.no === line.no) return parse(before.text).Test;
    }
    return undefined;
  }

  /** `build-fail`: what the compiler said stands in the `build-output` before. */
  #unbuilt(event: Event): void {
    const lines: Line[] = [];
    for (let n = 1; n <= BACK; n++) {
      const line = this.#out.back(n);
      if (line === undefined) break;
      const before = isEvent(line.text) ? parse(line.text) : {};
      if (before.ImportPath !== event.ImportPath) continue;
      if (before.Action === 'build-output') lines.unshift({ ...line, text: (before.Output ?? '').replace(/\n$/, '') });
    }
    this.#build.all(lines, event.ImportPath ?? '');
  }
}
