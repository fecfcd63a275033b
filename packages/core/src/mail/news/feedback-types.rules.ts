/** What a feedback report (RFC 5965, RFC 6590, RFC 6692) does to the recipient of its email (behaviour B11.7). */
export type FeedbackEffect = 'complaint' | 'opt_out' | 'nothing' | 'unknown';

/** By its Feedback-Type in lower case; every other one, and none, is unknown. */
const effects: ReadonlyMap<string, FeedbackEffect> = new Map([
  ['abuse', 'complaint'],
  ['fraud', 'complaint'],
  ['virus', 'complaint'],
  ['opt-out', 'opt_out'],
  ['opt-out-list', 'opt_out'],
  ['not-spam', 'nothing'],
]);

/** @param type without comments, in lower case; '' when it is missing */
export const feedbackEffectOf = (type: string): FeedbackEffect => effects.get(type) ?? 'unknown';
