import { activityRouter } from './activity.router.ts';
import { analyticsRouter } from './analytics.router.ts';
import { approvalsRouter } from './approvals.router.ts';
import { auditRouter } from './audit.router.ts';
import { billingRouter } from './billing.router.ts';
import { blocksRouter } from './blocks.router.ts';
import { campaignsRouter } from './campaigns.router.ts';
import { consentRouter, wordingsRouter } from './consent.router.ts';
import { contactsRouter } from './contacts.router.ts';
import { domainsRouter } from './domains.router.ts';
import { eventsRouter } from './events.router.ts';
import { explainRouter } from './explain.router.ts';
import { exportsRouter } from './exports.router.ts';
import { formsRouter, subscriptionRequestsRouter } from './forms.router.ts';
import { goalsRouter } from './goals.router.ts';
import { invitationsRouter } from './invitations.router.ts';
import { keysRouter } from './keys.router.ts';
import { liveRouter } from './live.router.ts';
import { membersRouter } from './members.router.ts';
import { privacyRouter } from './privacy.router.ts';
import { projectsRouter } from './projects.router.ts';
import { reputationRouter } from './reputation.router.ts';
import { requestsRouter } from './requests.router.ts';
import { searchRouter } from './search.router.ts';
import { segmentsRouter } from './segments.router.ts';
import { sendingRouter } from './sending.router.ts';
import { sourceRefsRouter } from './source-refs.router.ts';
import { templatesRouter } from './templates.router.ts';
import { topicsRouter } from './topics.router.ts';
import { t } from './trpc.ts';
import { uploadsRouter } from './uploads.router.ts';
import { authRouter, usersRouter } from './users.router.ts';
import { webhooksRouter } from './webhook-endpoints.router.ts';
import { workflowsRouter } from './workflows.router.ts';

export const appRouter = t.router({
  activity: activityRouter,
  analytics: analyticsRouter,
  approvals: approvalsRouter,
  audit: auditRouter,
  auth: authRouter,
  billing: billingRouter,
  campaigns: campaignsRouter,
  consent: consentRouter,
  contacts: contactsRouter,
  domains: domainsRouter,
  events: eventsRouter,
  exports: exportsRouter,
  forms: formsRouter,
  goals: goalsRouter,
  invitations: invitationsRouter,
  keys: keysRouter,
  live: liveRouter,
  members: membersRouter,
  privacy: privacyRouter,
  projects: projectsRouter,
  reputation: reputationRouter,
  requests: requestsRouter,
  explain: explainRouter,
  search: searchRouter,
  segments: segmentsRouter,
  sending: sendingRouter,
  sourceRefs: sourceRefsRouter,
  subscriptionRequests: subscriptionRequestsRouter,
  templates: templatesRouter,
  topics: topicsRouter,
  uploads: uploadsRouter,
  blocks: blocksRouter,
  users: usersRouter,
  webhooks: webhooksRouter,
  wordings: wordingsRouter,
  workflows: workflowsRouter,
});

/** The only export of this app that the dashboard imports. */
export type AppRouter = typeof appRouter;
