/** `exitReason` of an execution that was cancelled. */
export const cancelReasons = {
  user: 'Cancelled by user',
  project: 'Project disabled',
  merged: 'The contact was merged with another one in this workflow',
} as const;

/** `exitReason` of one that Postrider ended for another reason than the error of a step. EXIT steps may give texts of their own. */
export const endReasons = {
  moved: 'The workflow was changed',
  stepDeleted: 'The current step of this execution was deleted',
  exitStep: 'exit_step',
  restored: 'restored',
} as const;

export type CancelReason = (typeof cancelReasons)[keyof typeof cancelReasons];

/** Every `exitReason` that is not the text of a step. */
export type ExitReason = CancelReason | (typeof endReasons)[keyof typeof endReasons];
