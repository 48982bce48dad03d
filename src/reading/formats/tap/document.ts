/**
 * One TAP document: its test points, who is whose parent, and whether its plan was fulfilled. Subtests are indented; a
 * parent is printed after its children (or before them, with a brace), so a leaf's path is complete when it has closed.
 */
import type { Draft, Fields, Line, Out, Tally } from '../../format.js';
import type { Said } from './diagnostic.js';
import type { Point } from './point.js';

/** A point whose parents are not all known yet. */
interface Node {
  indent: number;
  ok: boolean;
  fields: Fields;
  key: string;
  draft?: Draft;
}

/** A parent that was printed before its children. */
interface Brace {
  point: Point;
  line: Line;
  failing: boolean;
  children: number;
}

/** Nodes whose parents are awaited, at most. */
const NODES = 2000;
const EXITED = / exited with a non-zero exit code: \d+$/;

export class Document {
  readonly #out: Out;
  #key: () => string;
  #nodes: Node[] = [];
  #braces: Brace[] = [];
  /** Indent of the last point: a deeper one before means that there are children. */
  #previous = 0;
  /** The file it comes from, as its harness says. */
  suite: string | undefined;
  plan: number | undefined;
  /** Points of the outermost level. */
  points = 0;
  last = 0;
  passed = 0;
  skipped = 0;
  failedTop = 0;
  unnumbered = false;
  /** Failing tests; and all `not ok` of any level, with what does not count. */
  leaves = 0;
  notOk = 0;
  /** Failing tests that have children: not every producer counts them. */
  parents = 0;
  /** Files that ava says have exited: it counts them twice. */
  exits = 0;
  /** Its harness prints the tally. */
  quiet = false;
  #tally: Tally | undefined;
  /** What the producer says of its end. */
  failed: number | undefined;
  ended: string | undefined;
  bailedOut = false;
  /** Not all that was planned was meant to run. */
  stopped = false;
  /** The line of the last thing read of it. */
  line: Line | undefined;

  constructor(out: Out, key: () => string) {
    this.#out = out;
    this.#key = key;
  }

  get begun(): boolean {
    return this.points > 0 || this.plan !== undefined || this.#nodes.length > 0;
  }

  /** All that the plan promised was seen. */
  get fulfilled(): boolean {
    return this.plan !== undefined && Math.max(this.points, this.last) >= this.plan;
  }

  /** @returns the draft of a failing leaf: what follows may say more of it */
  point(point: Point, line: Line): Draft | undefined {
    this.line = line;
    this.closeBrace(point.indent);
    this.#read(point);
    if (point.indent === 0 && this.fulfilled) this.end(line);
    if (point.brace) {
      this.#braces.push({ point, line, failing: !point.ok && !point.directive, children: 0 });
      return undefined;
    }
    const isParent = this.#previous > point.indent;
    this.#previous = point.indent;
    const at = this.#nodes.findIndex(node => node.indent > point.indent);
    const children = at < 0 ? [] : this.#nodes.splice(at);
    if (line.torn && children.length > 0) {
      // Its name may be cut, and so would theirs.
      for (const node of children) node.fields.weakId = true;
      return undefined;
    }
    this.#adopt(children, point);
    if (children.some(node => !node.ok) && !point.directive) return undefined;
    if (children.length > 0 && (point.ok || point.directive)) return undefined;
    if (!point.ok && !point.directive && isParent) this.parents++;
    return this.#leaf(point, line);
  }

  #read({ indent, ok, number, directive, name }: Point): void {
    if (!ok) this.notOk++;
    if (EXITED.test(name)) this.exits++;
    if (indent > 0) return;
    this.points++;
    if (number === undefined) this.unnumbered = true;
    else this.last = Math.max(this.last, number);
    if (directive) this.skipped++;
    else if (ok) this.passed++;
    else this.failedTop++;
  }

  /** The children's paths grow by their parent; those of an expected failure are forgotten. */
  #adopt(children: Node[], parent: Point): void {
    for (const node of children) {
      if (parent.directive && node.draft !== undefined) {
        this.leaves--;
        this.#out.drop(node.key);
        continue;
      }
      node.fields.name = `${parent.name} > ${node.fields.name}`;
      node.indent = parent.indent;
      if (parent.indent > 0 && this.#nodes.length < NODES) this.#nodes.push(node);
    }
  }

  #leaf(point: Point, line: Line): Draft | undefined {
    const key = this.#key();
    const name = [...this.#braces.map(brace => brace.point.name), point.name].join(' > ');
    const fields: Fields = {
      name,
      ...(!point.ok && !point.directive && { kind: 'test' as const }),
      ...(this.suite !== undefined && { suite: this.suite }),
    };
    for (const brace of this.#braces) brace.children += !point.ok && !point.directive ? 1 : 0;
    if (point.ok || point.directive) {
      this.#out.outcome(point.directive ? 'skipped' : 'passed', key, line, fields);
      if (this.#out.outcomes) this.#wait({ indent: point.indent, ok: true, fields, key });
      return undefined;
    }
    this.leaves++;
    if (point.remark !== undefined) fields.message = point.remark;
    const draft = this.#out.part('status', key, line, fields);
    this.#wait({ indent: point.indent, ok: false, fields: draft.fields, key, draft });
    return draft;
  }

  #wait(node: Node): void {
    const inside = this.#braces.at(-1)?.point.indent ?? -1;
    if (node.indent > 0 && inside < 0 && this.#nodes.length < NODES) this.#nodes.push(node);
  }

  closeBrace(indent: number): void {
    while ((this.#braces.at(-1)?.point.indent ?? -1) >= indent) this.#endBrace();
  }

  /** All children of a parent in braces were read: it failed by itself when none of them did. */
  #endBrace(): void {
    const { point, line, failing, children } = this.#braces.pop() as Brace;
    if (failing && children === 0) this.#leaf({ ...point, brace: false }, line);
    else if (this.#braces.length > 0) (this.#braces.at(-1) as Brace).children += children > 0 ? 1 : 0;
  }

  /** A parent that says it failed for another reason than its children is a failure of its own. */
  own(point: Point, line: Line): Draft {
    return this.#leaf({ ...point, brace: false }, line) as Draft;
  }

  /** Its end was read: it is not truncated, though more may still be said of it. */
  end(line: Line): void {
    this.line = line;
    if (this.#tally !== undefined || this.quiet) return;
    this.#tally = {};
    this.#out.tally(this.#tally, line);
  }

  /** Nothing more comes of it: its tally, held against what was read. */
  finish(): void {
    while (this.#braces.length > 0) this.#endBrace();
    // Their parents were never printed.
    for (const node of this.#nodes) node.fields.weakId = true;
    this.#nodes = [];
    if (this.#tally !== undefined && this.bailedOut) Object.assign(this.#tally, { result: 'failed', counted: 1 });
    if (this.line === undefined || this.bailedOut) return;
    const seen = Math.max(this.points, this.last);
    // Who counts for itself may print more points than it planned (ava: files that could not be loaded).
    const short = this.plan !== undefined && (this.failed === undefined ? seen !== this.plan : seen < this.plan);
    if (short && !this.quiet && !this.stopped && !this.unnumbered && this.points > 0 && this.ended === undefined)
      this.#unfulfilled(this.line);
    if (this.#tally !== undefined) this.#count(this.#tally, this.ended !== undefined);
    else if (this.quiet && this.fulfilled && this.notOk === 0) this.#out.tally(this.#count({}, false), this.line);
  }

  #unfulfilled(line: Line): void {
    const message = `planned ${this.plan} tests but ran ${this.points}`;
    this.#out.consequence({ kind: 'crash', message, ...(this.suite !== undefined && { file: this.suite }) }, line);
    this.#out.early('truncated');
  }

  #count(tally: Tally, died: boolean): Tally {
    const { leaves, parents, failedTop, notOk, exits, failed = leaves, passed, skipped, suite } = this;
    const counted = Math.min(Math.max(failed, Math.min(leaves - parents, failedTop)), notOk + exits);
    if (suite !== undefined) tally.suite = suite;
    if (died && leaves === 0) return Object.assign(tally, { result: 'failed', counted: 1 });
    return Object.assign(tally, { passed, failed, skipped, counted });
  }
}

/** What a diagnostic adds to a failing test. */
export function explain(draft: Draft, { fields }: Said): void {
  const { message, ...place } = fields;
  Object.assign(draft.fields, place);
  if (message) draft.fields.message = message;
}
