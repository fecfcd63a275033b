import type { Task } from '../../base/kernel/ports/threads.ts';

/** What a thread is started with. */
export interface ThreadData {
  linksUrl: string;
  secret: string;
  previousSecrets: readonly string[];
}

/** Starts a task; a thread has one at a time. */
export interface TaskMessage {
  task: string;
  input: unknown;
}

/** `cpuMs`: the CPU time of the thread since its start, in milliseconds. */
export type ThreadMessage =
  | { kind: 'ready'; cpuMs: number }
  | { kind: 'done'; cpuMs: number; output: unknown }
  /** `code`: of an error of the system or the runtime, which says nothing about the task */
  | { kind: 'failed'; cpuMs: number; error: unknown; code: string | null };

// biome-ignore lint/suspicious/noExplicitAny: a list of tasks whose inputs and outputs differ
export type AnyTask = Task<any, any>;
