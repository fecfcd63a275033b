/** Emails a day from the sandbox to an owner who has not proven the address, over all projects (behaviour B11.4). */
export const sandboxEmailsPerDay = 5;

/** The error of an email that is skipped by that limit. */
export const sandboxLimitError = `Confirm your address to send more than ${sandboxEmailsPerDay} test emails a day`;
