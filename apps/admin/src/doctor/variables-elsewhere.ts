/**
 * Variables that neither api nor worker reads, but `npm start`, the compose file or the AWS SDK: they are near to no other name by
 * mistake.
 */
export const variablesElsewhere: readonly string[] = [
  ...['MAILBOX_PORT', 'MAILBOX_SMTP_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT', 'POSTGRES_PORT'],
  ...['POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_DB'],
  ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_PROFILE', 'AWS_DEFAULT_REGION'],
];
