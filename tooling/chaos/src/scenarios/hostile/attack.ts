import type { ChaosStack } from '../../harness/chaos-stack.ts';
import type { TestProject } from '../../harness/project.store.ts';

/** What an attack may reach. */
export interface Target {
  chaos: ChaosStack;
  submissionPort: number;
  bouncePort: number;
  /** a project of the attacker's own */
  attacker: TestProject;
  /** the envelope sender of a message that the attacker has got */
  returnPath: string;
}

/** One way to do harm to others. */
export interface Attack {
  name: string;
  /** @param times how often it is tried @returns broken promises, one sentence each */
  run(target: Target, times: number): Promise<string[]>;
}
