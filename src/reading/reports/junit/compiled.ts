/** go test (gotestsum, go-junit-report), nextest, googletest, ctest, ExUnit, and Swift. */
import type { Fields } from '../../format.js';
import type { Case, Identity, Suite } from './case.js';
import { gtest as explainGtest, go, plainly, rust } from './explain.js';
import type { Producer } from './producer.js';

/** Not a test: the package could not be built. */
const UNBUILT = /\[(?:build|setup) failed\]/;

function identifyGo({ name, classname, problems }: Case, { name: suite }: Suite): Identity {
  const pkg = classname.endsWith(`/${suite}`) ? classname : suite || classname;
  const { message = '', text = '' } = problems[0] ?? {};
  if (UNBUILT.test(name) || message === 'Build error' || (name === 'TestMain' && UNBUILT.test(text))) {
    const built = pkg.replace(/^\[(.*)\]$/, '$1');
    return { kind: 'build', id: built, suite: built, name: built };
  }
  return { id: `${pkg} ${name}`, suite: pkg, name };
}

const COMPILED = /^(?:vet: )?([^\s:]+\.go):(\d+):(?:(\d+):)? (.+)$/;

/** go-junit-report has the compiler's words; gotestsum has not. */
function diagnostics({ problems }: Case): Fields[] {
  const found: Fields[] = [];
  for (const text of problems.flatMap(problem => problem.text.split('\n'))) {
    const [, file, line, column, message] = COMPILED.exec(text) ?? [];
    if (file === undefined || message === undefined || /^(?:too many errors$|note: )/.test(message)) continue;
    found.push({
      tool: 'go-build',
      file,
      line: Number(line),
      ...(column && { column: Number(column) }),
      message: message.replace(/^(?:fatal )?error: /, ''),
    });
  }
  return found;
}

export const goTest: Producer = {
  tool: 'go-test',
  identify: identifyGo,
  explain: go,
  diagnostics,
  repeated: 'attempts',
  suite: ({ name, own }) => (own.cases > 0 ? name : undefined),
};

export const nextest: Producer = {
  tool: 'nextest',
  identify: ({ name, classname }) => ({ id: `${classname} ${name}`, suite: classname, name }),
  explain: rust,
  suite: () => undefined,
};

export const gtest: Producer = {
  tool: 'gtest',
  identify({ name, classname }) {
    const id = `${classname}.${name}`;
    return { id, suite: classname, name: id };
  },
  explain: explainGtest,
  judge: ({ attributes, problems }) =>
    attributes.status === 'notrun' && problems.length === 0 ? 'skipped' : undefined,
  suite: () => undefined,
};

export const ctest: Producer = {
  tool: 'ctest',
  identify: ({ name }) => ({ id: name, name }),
  explain: (draft, problem, identity, test) => {
    plainly(draft, problem, identity, test);
    draft.fields.message ??= 'Failed';
  },
  judge({ attributes, skipped }) {
    if (attributes.status === 'disabled') return 'skipped';
    // A test that could not be started is among those that ctest lists as failed.
    return attributes.status === 'notrun' && !/^SKIP_/.test(skipped?.message ?? '') ? 'failed' : undefined;
  },
  suite: () => '',
};

export const exunit: Producer = {
  tool: 'exunit',
  identify({ name, classname }) {
    const suite = classname.replace(/^Elixir\./, '');
    return { id: `${suite} ${name}`, suite, name };
  },
  explain: plainly,
  suite: () => '',
};

const lastOf = (dotted: string): string => dotted.slice(dotted.lastIndexOf('.') + 1);

/** XCTest prints the class, swift-testing only the test. */
export const swift: Producer = {
  tool: 'xctest',
  identify({ name, classname }) {
    const suite = lastOf(classname);
    if (name.endsWith(')')) return { tool: 'swift-testing', id: name, name, weakId: true };
    return { id: `${suite} ${name}`, suite, name: `${suite}.${name}` };
  },
  explain: plainly,
  suite: () => '',
};
