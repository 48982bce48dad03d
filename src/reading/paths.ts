/** Paths as they are to stand in records: the same on every machine, and told apart between the parts of a monorepo. */

const ABSOLUTE = /^(?:[/\\]|[A-Za-z]:[/\\]|\w+:\/\/)/;

export const isAbsolute = (path: string): boolean => ABSOLUTE.test(path);

/** The folder that `--root` names; `.` is the working folder, as it stands in absolute paths. */
export const rootFolder = (root: string | undefined, cwd: string): string | undefined => (root === '.' ? cwd : root);

/**
 * @param root a folder that is stripped from the front
 * @param prefix a folder that is put before what is relative
 */
export function placed(path: string, root: string | undefined, prefix: string | undefined): string {
  let out = path;
  if (root) {
    const folder = root.endsWith('/') ? root : `${root}/`;
    if (out.startsWith(folder)) out = out.slice(folder.length);
  }
  return prefix && !ABSOLUTE.test(out) ? `${prefix.replace(/\/$/, '')}/${out}` : out;
}
