/** How figures name what became of executions: by their status, and of EXITED ones by why. */
export const exitedOutcome = 'EXITED:';

/** Characters of an outcome that are kept: those of branches and of reasons to exit are foreign. */
export const longestOutcome = 200;

/** Reasons to exit of a workflow that have figures of their own; those that come later share the ones of `otherExits`. */
export const mostExits = 100;
export const otherExits = '(other)';
