import type { Db } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { timeZoneOfProject } from '../../../people/projects/index.ts';
import { convertTo } from './definitions.rules.ts';
import {
  findOpenConversions,
  lockConversion,
  lockValues,
  replaceValues,
  saveConversion,
} from './definitions.store.ts';

/** Contacts per transaction; also below the number of rows that marks tracked segments stale. */
const batch = 5_000;

/** Converts the next values of a defined field. @returns whether there may be more */
export async function convertFieldBatch(services: Services, definitionId: string): Promise<boolean> {
  const done = await services.database.prisma.$transaction((db) => convertBatch(db, definitionId), {
    timeout: 120_000,
    maxWait: 30_000,
  });
  if (done.projectId !== null) services.scheduleFollowUps(done.projectId);
  return done.more;
}

/**
 * What cannot be converted stays and is counted. The position is written with the values, so that a repeated batch goes on after the
 * last one that was committed. `db` must be a transaction.
 */
export async function convertBatch(
  db: Db,
  definitionId: string,
  limit = batch,
): Promise<{ projectId: string | null; more: boolean }> {
  const conversion = await lockConversion(db, definitionId);
  if (!conversion) return { projectId: null, more: false };
  const rows = await lockValues(db, conversion, limit);
  const timeZone = await timeZoneOfProject(db, conversion.projectId);
  let unread = 0;
  const converted = rows.flatMap(({ id, value }) => {
    const stored = convertTo(conversion.type, value, timeZone);
    if (stored === undefined) unread += 1;
    return stored === undefined || JSON.stringify(stored) === JSON.stringify(value)
      ? []
      : [{ id, value: stored }];
  });
  await replaceValues(db, conversion, converted);
  const last = rows.at(-1);
  const next = rows.length === limit && last ? { createdAt: last.createdAt, id: last.id } : null;
  await saveConversion(db, definitionId, unread, next);
  return { projectId: conversion.projectId, more: next !== null };
}

/** A signal to begin arrives within this time, and the conversion waits for a few seconds. */
const neglectedSeconds = 60;

/** Conversions that are still open after a minute, for `reconcile`. */
export const findOpenFieldConversions = (services: Services, limit: number): Promise<string[]> =>
  findOpenConversions(services.database.prisma, neglectedSeconds, limit);
