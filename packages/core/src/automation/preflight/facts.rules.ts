import type { ConsentBasis } from '../../audience/consent/consent.rules.ts';
import type { AppError } from '../../base/kernel/errors.ts';
import type { EmailContent } from '../../content/templates/email-content.schema.ts';
import type { Reading } from './content/reading.rules.ts';

/** What the rules judge. A fact is read when a rule needs it: a gate pays for the rules that can refuse. */
export interface Facts {
  content: Pick<EmailContent, 'type' | 'body'> & {
    /** the document of the visual editor; null of HTML */
    design: unknown;
    /** of a campaign with a test: the variants that have a body of their own */
    variants?: readonly WrittenVariant[];
  };
  /** what was found in its texts */
  reading: Reading;
  /** the postal address in the brand of the project; null without one */
  address: string | null;
  /** why it may not be sent from its address; null if it may */
  sender: AppError | null;
  /** why its audience is not known, such as a segment that is gone; null if it is */
  reference: AppError | null;
  /** the cap that it would exceed; null if it exceeds none */
  cap: AppError | null;
  hasRecipients: boolean;
  /** why it may not be sent without the approval of a second person; null if it may */
  approval: AppError | null;
  /** who would be sent an email now */
  size: Count;
  /** what recipients lack */
  traits: {
    /** those that were looked at */
    of: number;
    /** without a value, by the names of variables without a fallback */
    lacking: Readonly<Record<string, number>>;
    neverMailed: number;
    isEstimated: boolean;
  };
  /** a part of its audience gets it first: in waves, or as the sample of a test */
  isCareful: boolean;
  /** the recipients of the largest campaign that was sent before; 0 without any */
  largestBefore: number;
  /** the latest campaign with its subject and audience that began within 24 hours; null without one */
  sameBefore: { id: string; name: string; sentAt: Date } | null;
  /** what a restore of the last days has lost, of a campaign that was there before; null without one */
  restored: { dataUntil: Date; lostUntil: Date } | null;
  /** the domain of its sender, if that has no DMARC record; null if it has one, or that is not known */
  lacksDmarc: string | null;
  /** its opens and clicks are recorded */
  isTracked: boolean;
  /** contacts of the audience that are not subscribed, and get it all the same */
  unwilling: Count;
  /** recipients that are subscribed, by what that rests on */
  bases: { counts: Readonly<Record<ConsentBasis, number>>; isEstimated: boolean };
  /** what it compares; null without a test */
  test: TestFacts | null;
  topics: {
    /** it names one */
    isNamed: boolean;
    /** those of the project that recipients can choose */
    offered: number;
  };
}

export interface WrittenVariant {
  /** its place in the test */
  index: number;
  key: string;
  body: string;
  design: unknown;
}

export interface TestFacts {
  /** variants that are as the campaign itself, by their place */
  equal: readonly { index: number; key: string }[];
  /** recipients that each variant has and needs for a rise of 20 %, and the rise in percent that is found with those; null if it is not known */
  sample: { has: number; needed: number | null; detectableLift: number | null } | null;
}

/** A number of contacts. */
export interface Count {
  count: number;
  /** from a sample of a large project */
  isEstimated: boolean;
}

export type FactName = keyof Facts;

/** Reads facts, each at most once. */
export type FactReader = <Name extends FactName>(name: Name) => Promise<Facts[Name]>;
