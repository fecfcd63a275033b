import type { ChaosStack } from '@postrider/harness/chaos-stack';
import type { TestProject } from '@postrider/harness/project.store';

/** What an attack may reach. */
export interface Target {
  chaos: ChaosStack;
  submissionPort: number;
  bouncePort: number;
  /** a project of the attacker's own */
  attacker: TestProject;
  /** a project of somebody else, which sends email all the time */
  neighbour: TestProject;
  /** the envelope sender of a message that the attacker has got */
  returnPath: string;
}

/** What the neighbour may feel of an attack; what is not named is not judged. */
export interface Bounds {
  /** 95th percentile of the answers of `/health/live`, in milliseconds */
  healthMs?: number;
  /** median time of an import of one row, in milliseconds */
  importMs?: number;
  /** multiple of that time without attack, on a machine whose cores are busy */
  import?: number;
  /** the same for 95th percentiles: answers of `/v1/send`, and from there to the mail server */
  send?: number;
  mail?: number;
}

/** What came out of an attack. */
export interface Outcome {
  /** broken promises that do not depend on the speed of the machine, one sentence each */
  problems: string[];
  /** broken promises about time and memory: judged in the large form only */
  figures?: string[];
  /** what is worth printing */
  notes?: string[];
}

/** One way to do harm to others. */
export interface Attack {
  name: string;
  bounds: Bounds;
  /** @param size tells how large a part of the attack is: the given number in the large form, a share of it in the small one */
  run(target: Target, size: (large: number) => number): Promise<Outcome>;
}
