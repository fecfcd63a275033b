import type { HeaderField } from '../message/index.ts';

/** What the message of ours that a report returns says about itself: who has it shows that it was sent, by a proof (behaviour B11.7). */
export interface ReturnedMessage {
  emailId: string | null;
  proof: string | null;
  /** of its `Return-Path`, without angle brackets */
  returnPath: string | null;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const PROOF = /^[a-z2-7]{10}$/i;
const ADDRESS = /^<?([^<>\s]{1,254})>?$/;

/** @returns null when it has none of the fields that every email of ours has */
export function returnedMessageOf(fields: readonly HeaderField[]): ReturnedMessage | null {
  const fieldOf = (name: string): string => fields.find((field) => field.name === name)?.value ?? '';
  const [emailId] = UUID.exec(fieldOf('x-postrider-email')) ?? [];
  const [proof] = PROOF.exec(fieldOf('x-postrider-proof')) ?? [];
  const [, returnPath] = ADDRESS.exec(fieldOf('return-path')) ?? [];
  const found = {
    emailId: emailId?.toLowerCase() ?? null,
    proof: proof?.toLowerCase() ?? null,
    returnPath: returnPath ?? null,
  };
  return found.returnPath === null && (found.emailId === null || found.proof === null) ? null : found;
}
