import type { ContactConsent } from '../../../audience/consent/index.ts';
import type { ExecutionStatus, StepStatus } from '../../../base/db/index.ts';
import type { StepOutcome } from './transitions.rules.ts';

type Json = Record<string, unknown>;

/** The project of a set, and what its steps use of it. */
export interface SetProject {
  id: string;
  name: string;
  language: string;
  timeZone: string;
  tracking: 'ENABLED' | 'DISABLED' | 'MARKETING_ONLY';
  /** which links get tags, as it is stored */
  utm?: unknown;
  /** disabled or deleted */
  stopped: boolean;
}

/** The workflow of a set, as its steps see it. */
export interface SetWorkflow {
  id: string;
  name: string;
  /** of the definition that is run; null: that of the project */
  timeZone: string | null;
}

/** Since when a wait accepts events: those at or after `at`, but not the event of that moment. */
export interface Anchor {
  at: Date;
  eventId: string | null;
}

export interface MemberContact {
  id: string;
  email: string;
  subscribed: boolean;
  /** the numbers of the topics that it chose, and those that it does not want */
  topicsOn: number[];
  topicsOff: number[];
  /** whether topics without a choice have their defaults */
  topicDefaults: boolean;
  status: ContactConsent['status'];
  /** of its subscription, and since when; null while it is not subscribed */
  consentBasis: ContactConsent['consentBasis'];
  consentedAt: string | null;
  data: Json;
  createdAt: string;
  updatedAt: string;
}

/** The row of a step that an execution has reached before. */
export interface StepRow {
  id: string;
  status: StepStatus;
  scheduledFor: Date | null;
  error: string | null;
  /** of a completed one */
  outcome: StepOutcome;
  /** what it has recorded while it waits for its time */
  parked: Json;
}

/** An execution in a set, with its contact. Steps before change what later ones see. */
export interface Member {
  readonly id: string;
  readonly startedAt: Date;
  readonly status: ExecutionStatus;
  context: Json;
  anchor: Anchor;
  contact: MemberContact;
  /** by the ids of steps */
  readonly rows: ReadonlyMap<string, StepRow>;
  /** what steps have recorded since the set took it, by their keys; what others have recorded is in their rows */
  outputs?: Map<string, Json>;
}

/** An execution at a step. */
export interface Visit {
  member: Member;
  /** its row of the step, if it parked there */
  row: StepRow | null;
  /** the id of the row, that of a new one included */
  stepExecutionId: string;
}
