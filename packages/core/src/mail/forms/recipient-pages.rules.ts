/** The pages of recipients and visitors that a project can look at before anyone else does, in the order in which people meet them. */
export const recipientPages = [
  'form',
  'received',
  'confirm',
  'confirmed',
  'preferences',
  'unsubscribe',
  'unsubscribed',
  'subscribe',
] as const;

export type RecipientPage = (typeof recipientPages)[number];
