/** The step at which a set was when a statement failed. */
export class StepError extends Error {
  readonly stepId: string | null;

  constructor(stepId: string | null, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'StepError';
    this.stepId = stepId;
  }
}

/** @throws StepError */
export async function atStep<T>(stepId: string | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StepError(stepId, error);
  }
}
