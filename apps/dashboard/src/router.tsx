import { createBrowserRouter } from 'react-router';
import { AuthLayout } from './shell/auth-layout.tsx';
import { RequireSession } from './shell/require-session.tsx';
import { RouteFailure } from './shell/route-failure.tsx';
import { Splash } from './shell/splash.tsx';

/** Every page is a separate file, loaded when it is opened. */
export const router = createBrowserRouter([
  {
    ErrorBoundary: RouteFailure,
    HydrateFallback: Splash,
    children: [
      {
        Component: AuthLayout,
        children: [
          {
            path: 'login',
            lazy: async () => ({ Component: (await import('./routes/login.tsx')).LoginRoute }),
          },
          {
            path: 'signup',
            lazy: async () => ({ Component: (await import('./routes/signup.tsx')).SignupRoute }),
          },
          {
            path: 'auth/signup',
            lazy: async () => ({ Component: (await import('./routes/signup.tsx')).SignupRoute }),
          },
          {
            path: 'auth/verify-email',
            lazy: async () => ({ Component: (await import('./routes/verify-email.tsx')).VerifyEmailRoute }),
          },
          {
            path: 'auth/reset-password',
            lazy: async () => ({
              Component: (await import('./routes/reset-password.tsx')).ResetPasswordRoute,
            }),
          },
          {
            path: 'forgot-password',
            lazy: async () => ({
              Component: (await import('./routes/forgot-password.tsx')).ForgotPasswordRoute,
            }),
          },
        ],
      },
      {
        Component: RequireSession,
        children: [
          { index: true, lazy: async () => ({ Component: (await import('./routes/home.tsx')).HomeRoute }) },
          {
            lazy: async () => ({ Component: (await import('./shell/plain-layout.tsx')).PlainLayout }),
            children: [
              {
                path: 'new-project',
                lazy: async () => ({ Component: (await import('./routes/new-project.tsx')).NewProjectRoute }),
              },
              {
                path: 'account',
                lazy: async () => ({ Component: (await import('./routes/account.tsx')).AccountRoute }),
              },
              {
                path: '*',
                lazy: async () => ({ Component: (await import('./routes/not-found.tsx')).NotFoundRoute }),
              },
            ],
          },
          {
            path: 'p/:projectId',
            lazy: async () => ({ Component: (await import('./shell/project-scope.tsx')).ProjectScope }),
            children: [
              {
                lazy: async () => ({ Component: (await import('./shell/app-shell.tsx')).AppShell }),
                children: [
                  {
                    ErrorBoundary: RouteFailure,
                    children: [
                      {
                        index: true,
                        lazy: async () => ({
                          Component: (await import('./routes/overview.tsx')).OverviewRoute,
                        }),
                      },
                      {
                        path: 'keys',
                        lazy: async () => ({ Component: (await import('./routes/keys.tsx')).KeysRoute }),
                      },
                      {
                        path: 'emails',
                        lazy: async () => ({ Component: (await import('./routes/emails.tsx')).EmailsRoute }),
                      },
                      {
                        path: 'emails/:emailId',
                        lazy: async () => ({ Component: (await import('./routes/email.tsx')).EmailRoute }),
                      },
                      {
                        path: 'campaigns',
                        lazy: async () => ({
                          Component: (await import('./routes/campaigns.tsx')).CampaignsRoute,
                        }),
                      },
                      {
                        path: 'campaigns/new',
                        lazy: async () => ({
                          Component: (await import('./routes/new-campaign.tsx')).NewCampaignRoute,
                        }),
                      },
                      {
                        path: 'campaigns/:campaignId',
                        lazy: async () => ({
                          Component: (await import('./routes/campaign.tsx')).CampaignRoute,
                        }),
                      },
                      {
                        path: 'campaigns/:campaignId/edit',
                        lazy: async () => ({
                          Component: (await import('./routes/edit-campaign.tsx')).EditCampaignRoute,
                        }),
                      },
                      {
                        path: 'contacts',
                        lazy: async () => ({
                          Component: (await import('./routes/contacts.tsx')).ContactsRoute,
                        }),
                      },
                      {
                        path: 'contacts/fields',
                        lazy: async () => ({
                          Component: (await import('./routes/contact-fields.tsx')).ContactFieldsRoute,
                        }),
                      },
                      {
                        path: 'contacts/fields/:field',
                        lazy: async () => ({
                          Component: (await import('./routes/contact-field.tsx')).ContactFieldRoute,
                        }),
                      },
                      {
                        path: 'contacts/imports',
                        lazy: async () => ({
                          Component: (await import('./routes/imports.tsx')).ImportsRoute,
                        }),
                      },
                      {
                        path: 'contacts/suppressions',
                        lazy: async () => ({
                          Component: (await import('./routes/suppressions.tsx')).SuppressionsRoute,
                        }),
                      },
                      {
                        path: 'contacts/:contactId',
                        lazy: async () => ({
                          Component: (await import('./routes/contact.tsx')).ContactRoute,
                        }),
                      },
                      {
                        path: 'segments',
                        lazy: async () => ({
                          Component: (await import('./routes/segments.tsx')).SegmentsRoute,
                        }),
                      },
                      {
                        path: 'segments/new',
                        lazy: async () => ({
                          Component: (await import('./routes/new-segment.tsx')).NewSegmentRoute,
                        }),
                      },
                      {
                        path: 'segments/:segmentId',
                        lazy: async () => ({
                          Component: (await import('./routes/segment.tsx')).SegmentRoute,
                        }),
                      },
                      {
                        path: 'templates',
                        lazy: async () => ({
                          Component: (await import('./routes/templates.tsx')).TemplatesRoute,
                        }),
                      },
                      {
                        path: 'templates/new',
                        lazy: async () => ({
                          Component: (await import('./routes/new-template.tsx')).NewTemplateRoute,
                        }),
                      },
                      {
                        path: 'templates/:templateId',
                        lazy: async () => ({
                          Component: (await import('./routes/template.tsx')).TemplateRoute,
                        }),
                      },
                      {
                        path: 'templates/:templateId/versions/:version',
                        lazy: async () => ({
                          Component: (await import('./routes/template-version.tsx')).TemplateVersionRoute,
                        }),
                      },
                      {
                        path: 'templates/:templateId/edit',
                        lazy: async () => ({
                          Component: (await import('./routes/edit-template.tsx')).EditTemplateRoute,
                        }),
                      },
                      {
                        path: 'media',
                        lazy: async () => ({ Component: (await import('./routes/media.tsx')).MediaRoute }),
                      },
                      {
                        path: 'events',
                        lazy: async () => ({
                          Component: (await import('./routes/events.tsx')).EventsRoute,
                        }),
                      },
                      {
                        path: 'events/of',
                        lazy: async () => ({
                          Component: (await import('./routes/event.tsx')).EventRoute,
                        }),
                      },
                      {
                        path: 'workflows',
                        lazy: async () => ({
                          Component: (await import('./routes/workflows.tsx')).WorkflowsRoute,
                        }),
                      },
                      {
                        path: 'workflows/new',
                        lazy: async () => ({
                          Component: (await import('./routes/new-workflow.tsx')).NewWorkflowRoute,
                        }),
                      },
                      {
                        path: 'workflows/:workflowId',
                        lazy: async () => ({
                          Component: (await import('./routes/workflow.tsx')).WorkflowRoute,
                        }),
                      },
                      {
                        path: 'workflows/:workflowId/executions',
                        lazy: async () => ({
                          Component: (await import('./routes/executions.tsx')).ExecutionsRoute,
                        }),
                      },
                      {
                        path: 'workflows/:workflowId/executions/:executionId',
                        lazy: async () => ({
                          Component: (await import('./routes/execution.tsx')).ExecutionRoute,
                        }),
                      },
                      {
                        path: 'domains',
                        lazy: async () => ({
                          Component: (await import('./routes/domains.tsx')).DomainsRoute,
                        }),
                      },
                      {
                        path: 'domains/:domainId',
                        lazy: async () => ({
                          Component: (await import('./routes/domain.tsx')).DomainRoute,
                        }),
                      },
                      {
                        path: 'webhooks',
                        lazy: async () => ({
                          Component: (await import('./routes/webhook-endpoints.tsx')).WebhookEndpointsRoute,
                        }),
                      },
                      {
                        path: 'webhooks/:endpointId',
                        lazy: async () => ({
                          Component: (await import('./routes/webhook-endpoint.tsx')).WebhookEndpointRoute,
                        }),
                      },
                      {
                        path: 'webhooks/:endpointId/deliveries/:deliveryId',
                        lazy: async () => ({
                          Component: (await import('./routes/webhook-delivery.tsx')).WebhookDeliveryRoute,
                        }),
                      },
                      {
                        path: 'members',
                        lazy: async () => ({
                          Component: (await import('./routes/members.tsx')).MembersRoute,
                        }),
                      },
                      {
                        path: 'activity',
                        lazy: async () => ({
                          Component: (await import('./routes/activity.tsx')).ActivityRoute,
                        }),
                      },
                      {
                        path: 'analytics',
                        lazy: async () => ({
                          Component: (await import('./routes/analytics.tsx')).AnalyticsRoute,
                        }),
                      },
                      {
                        path: 'reputation',
                        lazy: async () => ({
                          Component: (await import('./routes/reputation.tsx')).ReputationRoute,
                        }),
                      },
                      {
                        path: 'billing',
                        lazy: async () => ({
                          Component: (await import('./routes/billing.tsx')).BillingRoute,
                        }),
                      },
                      {
                        path: 'audit',
                        lazy: async () => ({
                          Component: (await import('./routes/audit.tsx')).AuditRoute,
                        }),
                      },
                      {
                        path: 'settings',
                        lazy: async () => ({
                          Component: (await import('./routes/settings.tsx')).SettingsRoute,
                        }),
                      },
                      {
                        path: '*',
                        lazy: async () => ({
                          Component: (await import('./routes/not-found.tsx')).NotFoundRoute,
                        }),
                      },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
]);
