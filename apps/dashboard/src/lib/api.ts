import type { AppRouter } from '@postrider/api/trpc';
import { createTRPCClient, httpBatchLink, httpLink, httpSubscriptionLink, splitLink } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { createTRPCContext } from '@trpc/tanstack-react-query';

/**
 * Two clients of the API. `account` sends requests as the user; `project` also names a project and prefixes its
 * cache keys with it, so that data of one project is never shown in another.
 */
const account = createTRPCContext<AppRouter>();
const project = createTRPCContext<AppRouter, { keyPrefix: true }>();

export const AccountApiProvider = account.TRPCProvider;
export const useAccountApi = account.useTRPC;
export const ProjectApiProvider = project.TRPCProvider;
export const useApi = project.useTRPC;
/** The client without the cache, for actions that take several requests. */
export const useApiClient = project.useTRPCClient;

const longestAddress = 4_000;
/** The number of calls that the API accepts in one request. */
const longestBatch = 20;
/** Characters of JSON that always fit into a URL, where escaping makes up to nine of each. Longer input is sent in a body. */
const longestInAddress = 400;

/** An API client that sends the session cookie and, if given, the project. */
export const createClient = (projectId?: string) => {
  const options = {
    url: '/trpc',
    headers: projectId === undefined ? {} : { 'x-project-id': projectId },
  };
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        // An event source cannot send request headers.
        true: httpSubscriptionLink({
          url: options.url,
          ...(projectId !== undefined && { connectionParams: { projectId } }),
        }),
        false: splitLink({
          condition: ({ type, input }) =>
            type === 'query' && (JSON.stringify(input)?.length ?? 0) > longestInAddress,
          true: httpLink({ ...options, methodOverride: 'POST' }),
          false: httpBatchLink({ ...options, maxURLLength: longestAddress, maxItems: longestBatch }),
        }),
      }),
    ],
  });
};

export type ApiClient = ReturnType<typeof createClient>;

type Inputs = inferRouterInputs<AppRouter>;
export type ExplainQuestion = Exclude<Inputs['explain']['get'], void>;
export type ExportRequest = Inputs['exports']['start'];
export type CampaignInput = Inputs['campaigns']['create'];
export type TemplateInput = Inputs['templates']['create'];
export type SegmentInput = Inputs['segments']['create'];
export type PublishInput = Inputs['workflows']['publish'];
export type WorkflowUpdate = Inputs['workflows']['update'];
export type ProjectUpdate = Inputs['projects']['update'];

type Outputs = inferRouterOutputs<AppRouter>;

export type User = Outputs['users']['me'];
export type Project = Outputs['projects']['list'][number];
export type Brand = Project['brand'];
export type Security = Outputs['reputation']['security'];
export type Overview = Outputs['analytics']['overview'];
export type Email = Outputs['sending']['listEmails']['data'][number];
export type Explanation = Outputs['explain']['get'];
export type EmailDetail = Outputs['sending']['getEmail'];
export type ActivityGroup = Outputs['activity']['groups']['data'][number];
export type ActivityItem = Outputs['activity']['list']['data'][number];
export type Timeseries = Outputs['analytics']['timeseries'];
export type CampaignAnalytics = Outputs['analytics']['campaignStats'];
export type TopEvents = Outputs['analytics']['topEvents'];
export type AuditEntry = Outputs['audit']['list']['data'][number];
export type Approval = Outputs['approvals']['get'];
export type RequestEntry = Outputs['requests']['get'];
export type Erasure = Outputs['privacy']['getErasure'];
export type Storage = Outputs['projects']['getStorage'];
export type BillingLimits = Outputs['billing']['limits'];
export type Invoice = Outputs['billing']['invoices']['invoices'][number];
export type Member = Outputs['members']['list'][number];
export type OwnInvitation = Outputs['invitations']['listMine'][number];
export type Domain = Outputs['domains']['list'][number];
export type DomainHealth = Outputs['domains']['health'];
export type CampaignComparison = Outputs['analytics']['compareCampaigns'];
export type CampaignReport = Outputs['analytics']['campaignReport'];
export type WorkflowFigures = Outputs['workflows']['getFigures'];
export type Breakdown = Outputs['analytics']['breakdown'];
export type ContactGrowth = Outputs['analytics']['contactGrowth'];
export type Campaign = Outputs['campaigns']['get'];
export type Calendar = Outputs['campaigns']['listCalendar'];
export type CampaignStats = Outputs['campaigns']['stats'];
export type TestAdvice = Outputs['campaigns']['adviseTest'];
export type Contact = Outputs['contacts']['list']['data'][number];
export type ContactDetail = Outputs['contacts']['get'];
export type ImportJob = Outputs['contacts']['getImport'];
export type ContactImport = Outputs['contacts']['listImports']['data'][number];
export type ContactField = Outputs['contacts']['listFields']['fields'][number];
export type ContactFieldUsage = Outputs['contacts']['getFieldUsage'];
export type Suppression = Outputs['contacts']['listSuppressions']['data'][number];
export type BulkJob = Outputs['contacts']['getBulkJob'];
export type ContentPreview = Outputs['sending']['previewContent'];
export type Template = Outputs['templates']['get'];
export type TemplateVersion = Outputs['templates']['version'];
export type ListedTemplateVersion = Outputs['templates']['versions']['data'][number];
export type SavedBlock = Outputs['blocks']['list']['data'][number];
export type Image = Outputs['uploads']['list']['data'][number];
export type Topic = Outputs['topics']['get'];
export type SignUpForm = Outputs['forms']['get'];
export type Goal = Outputs['goals']['get'];
export type GoalReport = Outputs['goals']['getReport'];
export type Segment = Outputs['segments']['get'];
export type Preflight = Outputs['campaigns']['preflight'];
export type Recipient = Outputs['campaigns']['recipients']['data'][number];
export type WorkflowItem = Outputs['workflows']['list']['data'][number];
export type Workflow = Outputs['workflows']['get'];
export type WorkflowStep = Workflow['steps'][number];
export type WorkflowVersion = Outputs['workflows']['getVersion'];
export type ListedWorkflowVersion = Outputs['workflows']['listVersions']['data'][number];
/** What decides what happens to a contact: that of a version, or of a workflow as it is shown. */
export type WorkflowDefinition = WorkflowVersion['definition'];
export type PublishPreview = Outputs['workflows']['previewPublish'];
export type WorkflowTransition = Workflow['transitions'][number];
export type StepType = WorkflowStep['type'];
export type Execution = Outputs['workflows']['listExecutions']['executions'][number];
export type WorkflowJob = Outputs['workflows']['getJob'];
export type WorkflowSimulation = Outputs['workflows']['simulate'];
export type ExecutionDetail = Outputs['workflows']['getExecution'];
export type StepExecution = ExecutionDetail['stepExecutions'][number];
export type EventItem = Outputs['events']['search']['data'][number];
export type EventFigures = Outputs['events']['figures'][number];
export type EventUsage = Outputs['events']['usage'];
export type WebhookEndpoint = Outputs['webhooks']['get'];
export type WebhookDelivery = Outputs['webhooks']['getDelivery'];
