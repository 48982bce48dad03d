/** Mocha tells a hook that failed as if it were a test: `cart "before each" hook for "adds"`. */

const HOOK = /^(.*?) "(?:before|after) (?:all|each)" hook\b/s;

/** The title of the group that the hook is of; undefined: it is no hook. */
export const groupOfHook = (id: string): string | undefined => HOOK.exec(id)?.[1];
