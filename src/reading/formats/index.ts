/**
 * All formats, in the order in which they are offered a line: most specific first, the plain `FAILED name` reader last.
 * To add one: a file beside this one, a line here, a folder of fixtures under `fixtures/`.
 */
import type { Format } from '../format.js';
import { ant } from './ant.js';
import { bazel } from './bazel.js';
import { cargo } from './cargo.js';
import { ci } from './ci.js';
import { cmake } from './cmake.js';
import { ctest } from './ctest.js';
import { eslint } from './eslint.js';
import { exunit } from './exunit.js';
import { gcc } from './gcc.js';
import { goTest } from './go-test.js';
import { gradle } from './gradle.js';
import { gtest } from './gtest.js';
import { java } from './java.js';
import { javac } from './javac.js';
import { jest } from './jest.js';
import { ld } from './ld.js';
import { make } from './make.js';
import { maven } from './maven.js';
import { mocha } from './mocha.js';
import { multiplexer } from './multiplexer.js';
import { nextest } from './nextest.js';
import { node } from './node.js';
import { nodeTest } from './node-test.js';
import { npm } from './npm.js';
import { plain } from './plain.js';
import { playwright } from './playwright.js';
import { pytest } from './pytest.js';
import { python } from './python.js';
import { rustc } from './rustc.js';
import { sanitizer } from './sanitizer.js';
import { shell } from './shell.js';
import { surefire } from './surefire.js';
import { swiftTesting } from './swift-testing.js';
import { tap } from './tap.js';
import { tsc } from './tsc.js';
import { unittest } from './unittest.js';
import { vitest } from './vitest.js';
import { xctest } from './xctest.js';

export const FORMATS: readonly Format[] = [
  pytest,
  unittest,
  python,
  tsc,
  eslint,
  nextest,
  playwright,
  jest,
  vitest,
  nodeTest,
  exunit,
  mocha,
  cargo,
  rustc,
  goTest,
  bazel,
  ctest,
  gtest,
  xctest,
  swiftTesting,
  multiplexer,
  cmake,
  make,
  npm,
  ci,
  sanitizer,
  node,
  ant,
  surefire,
  javac,
  maven,
  gradle,
  java,
  shell,
  ld,
  gcc,
  tap,
  plain,
];
