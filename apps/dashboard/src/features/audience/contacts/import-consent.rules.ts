/** What was decided about the consent of all people in a file; texts are empty where nothing is stated. */
export interface ConsentChoices {
  subscribed: boolean;
  basis: string;
  /** a day in the time zone of the browser, such as `2026-05-01` */
  consentDay: string;
  consentSource: string;
  /** an existing wording, `newWording`, or none */
  wordingId: string;
  wordingText: string;
  wordingLanguage: string;
}

export const newWording = 'new';

export const noConsent: ConsentChoices = {
  subscribed: false,
  basis: 'given',
  consentDay: '',
  consentSource: '',
  wordingId: '',
  wordingText: '',
  wordingLanguage: '',
};

/** The choices as the fields of the form hold them. */
export const consentIn = (values: Readonly<Record<string, string | undefined>>): ConsentChoices => ({
  subscribed: values['subscribed'] === 'on',
  basis: values['basis'] ?? noConsent.basis,
  consentDay: values['consentDay'] ?? '',
  consentSource: values['consentSource']?.trim() ?? '',
  wordingId: values['wordingId'] ?? '',
  wordingText: values['wordingText'] ?? '',
  wordingLanguage: values['wordingLanguage'] ?? '',
});

/** What the request states for them: nothing but `keep` unless all agreed. */
export function statedConsent({ subscribed, basis, consentDay, consentSource }: ConsentChoices) {
  if (!subscribed) return { subscribed: 'keep' as const };
  return {
    subscribed: 'true' as const,
    basis: basis === 'customer' ? ('customer' as const) : ('given' as const),
    ...(consentDay !== '' && { consentAt: new Date(`${consentDay}T00:00`).toISOString() }),
    ...(consentSource !== '' && { consentSource }),
  };
}
