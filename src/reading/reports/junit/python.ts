/** pytest, and unittest by way of unittest-xml-reporting (Django, too). */
import type { Case, Identity, Suite } from './case.js';
import { pytest as explainPytest, python } from './explain.js';
import type { Producer } from './producer.js';

/** As pytest's `python_files` has it by default. */
const TEST_MODULE = /^test_|_test$/;
/** `a.b.test_c.TestD` is a class in a module. */
const CLASS = /^_?[A-Z]/;
const TEXT_FILE = /\.(?:rst|txt|md)$/;

interface Place {
  path: string;
  classes: string[];
  sure: boolean;
}

/** pytest writes the node id with its `/` and `::` as dots; where the module ends is known by its file, or its name. */
function placeOf(classname: string, file: string | undefined): Place {
  const parts = classname.split('.');
  const module = file?.replace(/\.py$/, '').replace(/[\\/]/g, '.');
  if (module !== undefined && file?.endsWith('.py') && `${classname}.`.startsWith(`${module}.`)) {
    const classes = classname
      .slice(module.length + 1)
      .split('.')
      .filter(Boolean);
    return { path: file.replaceAll('\\', '/'), classes, sure: true };
  }
  const named = parts.findLastIndex(part => TEST_MODULE.test(part));
  const first = named < 0 ? parts.findIndex(part => CLASS.test(part)) : named + 1;
  const end = first < 1 ? parts.length : first;
  const sure = named >= 0 || end === parts.length;
  return { path: `${parts.slice(0, end).join('/')}.py`, classes: parts.slice(end), sure };
}

function identify({ name, classname, attributes }: Case): Identity {
  // A file that could not be loaded.
  if (classname === '') {
    const { path } = placeOf(name, attributes.file);
    return { id: path, suite: path, name: path };
  }
  if (TEXT_FILE.test(name) && (classname === name || classname.endsWith(`.${name}`))) {
    const folder = classname.slice(0, -name.length).replaceAll('.', '/');
    return { id: `${folder}${name}::${name}`, suite: folder + name, name };
  }
  const { path, classes, sure } = placeOf(classname, attributes.file);
  const within = [...classes, name].join('::');
  return { id: `${path}::${within}`, suite: path, name: within, ...(!sure && { weakId: true }) };
}

export const pytest: Producer = {
  tool: 'pytest',
  identify,
  explain: explainPytest,
  repeated: 'reruns',
  // Subtests that passed are counted.
  partial: true,
  suite: () => '',
};

/** `test_x (a.b.C.test_x)`, as Python prints it since 3.11; of a subtest its description follows. */
export const unittest: Producer = {
  tool: 'unittest',
  identify({ name, classname }) {
    const [, what, where] = /^(\w+) \((.*)\)$/.exec(name) ?? [];
    if (classname === '' && what !== undefined) return { id: name, suite: where as string, name: what };
    const method = /^\w+/.exec(name)?.[0] ?? name;
    const id = `${method} (${classname}.${method})${name.slice(method.length)}`;
    return { id, suite: classname, name };
  },
  explain: python,
  // What failed in the test and in its tear-down.
  repeated: 'reruns',
  suite: ({ name }: Suite) => name.replace(/-\d{14}$/, ''),
};
