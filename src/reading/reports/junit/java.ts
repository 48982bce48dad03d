/** Maven's surefire and failsafe, Gradle, Ant, and whoever else runs Java. */
import type { Case, Identity, Suite } from './case.js';
import { java } from './explain.js';
import type { Producer } from './producer.js';

/** A class whose set-up failed is a test without a name, or has one of these, or its own. */
const WHOLE = /^(?:|classMethod|initializationError)$/;

function identify({ name, classname }: Case, suite: Suite): Identity {
  const cls = classname || suite.name;
  if (name === suite.name) return { id: name, suite: name, name };
  if (WHOLE.test(name) || name === cls) return { id: cls, suite: cls, name: cls };
  return { id: `${cls}.${name}`, suite: cls, name };
}

const javaRunner = (tool: string): Producer => ({ tool, identify, explain: java, suite: ({ name }) => name });

export const surefire = javaRunner('surefire');
export const ant = javaRunner('ant');
/** Its retry plugin writes each attempt as a test of its own, unless told to merge them. */
export const gradle: Producer = { ...javaRunner('gradle'), repeated: 'attempts' };

/** Of a class that only holds others surefire writes a report without a test: its run has ended all the same. */
export const isEmptyClass = ({ attributes }: Suite): boolean =>
  /surefire/.test(attributes['xsi:noNamespaceSchemaLocation'] ?? '') && attributes.tests === '0';
