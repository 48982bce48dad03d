/** A test as Playwright's reporters name it: `[project] › file:L:C › suite › test`. Ids leave out where it stands. */
import type { Fields } from '../../format.js';

const TITLE = /^(?:\[([^\]]{1,200})\] › )?(\S.*?):(\d+):(\d+) › (\S.*)$/;

export interface Title {
  fields: Fields & { id: string };
  file: string;
}

/** @param path how a path stands in an id */
export function titleOf(text: string, path: (file: string) => string): Title | undefined {
  const [, project, file = '', line, column, rest] = TITLE.exec(text) ?? [];
  if (rest === undefined) return undefined;
  const suite = `${project === undefined ? '' : `[${project}] `}${path(file)}`;
  const name = rest.split(' › ').join(' > ');
  return {
    fields: { id: `${suite} > ${name}`, suite, name, file, line: Number(line), column: Number(column) },
    file,
  };
}
