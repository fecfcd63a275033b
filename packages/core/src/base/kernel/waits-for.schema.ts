import type { z } from 'zod';
import { namedEnum } from './type-names.ts';

const waitsForWhat = namedEnum('WaitsFor', ['engine']);

/** What a record waits for before the service goes on with it. */
export type WaitsFor = z.output<typeof waitsForWhat>;

/** The field of a record whose work only the engine begins (behaviour B2.13). @param waits the sentence about the value `engine` */
export const waitsForField = (waits: string) =>
  waitsForWhat.nullable().meta({
    description: `What it waits for. \`engine\`: ${waits} Null otherwise.`,
    examples: [null],
  });
