import './scalars.ts';
import './activity.ts';
import './analytics.ts';
import './audit.ts';
import './campaigns.ts';
import './contacts.ts';
import './domains.ts';
import './emails.ts';
import './events.ts';
import './project.ts';
import './segments.ts';
import './subscriptions.ts';
import './suppressions.ts';
import './templates.ts';
import './uploads.ts';
import './workflows.ts';
import { builder } from './builder.ts';

export const schema = builder.toSchema();
