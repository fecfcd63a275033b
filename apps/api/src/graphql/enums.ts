import type { EnumRef } from '@pothos/core';
import { builder, type SchemaTypes } from './builder.ts';

type Ref = EnumRef<SchemaTypes, string, string>;

const refs = new Map<string, Ref>();

const keyOf = (values: readonly string[]): string => [...values].sort().join(' ');

/** Gives an enum that several types use its name; one that is not named so is called after its first field. */
export function nameEnum(name: string, values: readonly string[]): Ref {
  const key = keyOf(values);
  const ref = refs.get(key) ?? (builder.enumType(name, { values }) as Ref);
  refs.set(key, ref);
  return ref;
}

nameEnum('EmailClass', ['TRANSACTIONAL', 'MARKETING', 'HEADLESS']);
nameEnum('AudienceType', ['ALL', 'SEGMENT', 'FILTERED']);
nameEnum('CampaignStatus', ['DRAFT', 'SCHEDULED', 'SENDING', 'SENT', 'CANCELLED']);
nameEnum('EmailSource', ['TRANSACTIONAL', 'CAMPAIGN', 'WORKFLOW', 'TEST']);
nameEnum('DomainStatus', ['PENDING', 'VERIFIED', 'FAILED']);
nameEnum('TrackingMode', ['ENABLED', 'DISABLED', 'MARKETING_ONLY']);
nameEnum('Role', ['OWNER', 'ADMIN', 'MEMBER']);
nameEnum('TriggerType', ['EVENT', 'MANUAL', 'SCHEDULE']);
nameEnum('WaitOutcome', ['EVENT', 'TIMEOUT']);
nameEnum('StepType', [
  'TRIGGER',
  'SEND_EMAIL',
  'DELAY',
  'WAIT_FOR_EVENT',
  'CONDITION',
  'WEBHOOK',
  'UPDATE_CONTACT',
  'EXIT',
]);
nameEnum('ExecutionStatus', ['RUNNING', 'WAITING', 'COMPLETED', 'EXITED', 'FAILED', 'CANCELLED']);
nameEnum('StepStatus', ['PENDING', 'SCHEDULED', 'WAITING', 'RUNNING', 'COMPLETED', 'SKIPPED', 'FAILED']);
nameEnum('SortDirection', ['asc', 'desc']);
nameEnum('SortColumn', ['name', 'createdAt', 'updatedAt']);
nameEnum('EmailStatus', [
  'PENDING',
  'SENDING',
  'SENT',
  'DELIVERED',
  'OPENED',
  'CLICKED',
  'BOUNCED',
  'COMPLAINED',
  'FAILED',
  'SKIPPED',
  'UNCERTAIN',
]);
