import type { Task } from '../../../base/kernel/ports/threads.ts';
import { type Reading, readContent, type WrittenContent } from './reading.rules.ts';

/** Reads the texts of an email, whose length and form are those that anyone has written. */
export const readContentTask: Task<WrittenContent, Reading> = {
  name: 'preflight.readContent',
  run: readContent,
};
