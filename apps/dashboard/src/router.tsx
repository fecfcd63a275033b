import { createBrowserRouter, type RouteObject } from 'react-router';
import { AuthLayout } from './shell/auth-layout.tsx';
import { RequireSession } from './shell/require-session.tsx';
import { RouteFailure } from './shell/route-failure.tsx';
import { Splash } from './shell/splash.tsx';

// Every page is a separate file, which exports it as `Component` and is loaded when it is opened.

const withoutSession: RouteObject[] = [
  { path: 'login', lazy: () => import('./routes/login.tsx') },
  { path: 'signup', lazy: () => import('./routes/signup.tsx') },
  { path: 'auth/signup', lazy: () => import('./routes/signup.tsx') },
  { path: 'auth/verify-email', lazy: () => import('./routes/verify-email.tsx') },
  { path: 'auth/reset-password', lazy: () => import('./routes/reset-password.tsx') },
  { path: 'forgot-password', lazy: () => import('./routes/forgot-password.tsx') },
];

const withoutProject: RouteObject[] = [
  { path: 'new-project', lazy: () => import('./routes/new-project.tsx') },
  { path: 'account', lazy: () => import('./routes/account.tsx') },
  { path: 'account/delete', lazy: () => import('./routes/delete-account.tsx') },
  { path: '*', lazy: () => import('./routes/not-found.tsx') },
];

const ofProject: RouteObject[] = [
  { index: true, lazy: () => import('./routes/overview.tsx') },
  { path: 'keys', lazy: () => import('./routes/keys.tsx') },
  { path: 'emails', lazy: () => import('./routes/emails.tsx') },
  { path: 'emails/:emailId', lazy: () => import('./routes/email.tsx') },
  { path: 'campaigns', lazy: () => import('./routes/campaigns.tsx') },
  { path: 'campaigns/new', lazy: () => import('./routes/new-campaign.tsx') },
  { path: 'campaigns/calendar', lazy: () => import('./routes/campaign-calendar.tsx') },
  { path: 'campaigns/compare', lazy: () => import('./routes/compare-campaigns.tsx') },
  { path: 'campaigns/:campaignId', lazy: () => import('./routes/campaign.tsx') },
  { path: 'campaigns/:campaignId/edit', lazy: () => import('./routes/edit-campaign.tsx') },
  { path: 'contacts', lazy: () => import('./routes/contacts.tsx') },
  { path: 'contacts/fields', lazy: () => import('./routes/contact-fields.tsx') },
  { path: 'contacts/fields/:field', lazy: () => import('./routes/contact-field.tsx') },
  { path: 'contacts/imports', lazy: () => import('./routes/imports.tsx') },
  { path: 'contacts/suppressions', lazy: () => import('./routes/suppressions.tsx') },
  { path: 'contacts/:contactId', lazy: () => import('./routes/contact.tsx') },
  { path: 'consent', lazy: () => import('./routes/consent.tsx') },
  { path: 'forms', lazy: () => import('./routes/forms.tsx') },
  { path: 'forms/new', lazy: () => import('./routes/new-form.tsx') },
  { path: 'forms/:formId', lazy: () => import('./routes/form.tsx') },
  { path: 'forms/:formId/edit', lazy: () => import('./routes/edit-form.tsx') },
  { path: 'goals', lazy: () => import('./routes/goals.tsx') },
  { path: 'goals/new', lazy: () => import('./routes/new-goal.tsx') },
  { path: 'goals/:goalId', lazy: () => import('./routes/goal.tsx') },
  { path: 'segments', lazy: () => import('./routes/segments.tsx') },
  { path: 'segments/new', lazy: () => import('./routes/new-segment.tsx') },
  { path: 'segments/:segmentId', lazy: () => import('./routes/segment.tsx') },
  { path: 'templates', lazy: () => import('./routes/templates.tsx') },
  { path: 'templates/new', lazy: () => import('./routes/new-template.tsx') },
  { path: 'templates/:templateId', lazy: () => import('./routes/template.tsx') },
  { path: 'templates/:templateId/versions/:version', lazy: () => import('./routes/template-version.tsx') },
  { path: 'templates/:templateId/edit', lazy: () => import('./routes/edit-template.tsx') },
  { path: 'media', lazy: () => import('./routes/media.tsx') },
  { path: 'events', lazy: () => import('./routes/events.tsx') },
  { path: 'events/of', lazy: () => import('./routes/event.tsx') },
  { path: 'workflows', lazy: () => import('./routes/workflows.tsx') },
  { path: 'workflows/new', lazy: () => import('./routes/new-workflow.tsx') },
  { path: 'workflows/:workflowId', lazy: () => import('./routes/workflow.tsx') },
  { path: 'workflows/:workflowId/figures', lazy: () => import('./routes/workflow-figures.tsx') },
  { path: 'workflows/:workflowId/versions', lazy: () => import('./routes/workflow-versions.tsx') },
  { path: 'workflows/:workflowId/versions/:version', lazy: () => import('./routes/workflow-version.tsx') },
  { path: 'workflows/:workflowId/executions', lazy: () => import('./routes/executions.tsx') },
  { path: 'workflows/:workflowId/executions/:executionId', lazy: () => import('./routes/execution.tsx') },
  { path: 'domains', lazy: () => import('./routes/domains.tsx') },
  { path: 'domains/:domainId', lazy: () => import('./routes/domain.tsx') },
  { path: 'webhooks', lazy: () => import('./routes/webhook-endpoints.tsx') },
  { path: 'webhooks/:endpointId', lazy: () => import('./routes/webhook-endpoint.tsx') },
  {
    path: 'webhooks/:endpointId/deliveries/:deliveryId',
    lazy: () => import('./routes/webhook-delivery.tsx'),
  },
  { path: 'members', lazy: () => import('./routes/members.tsx') },
  { path: 'activity', lazy: () => import('./routes/activity.tsx') },
  { path: 'privacy', lazy: () => import('./routes/privacy.tsx') },
  { path: 'privacy/:erasureId', lazy: () => import('./routes/erasure.tsx') },
  { path: 'analytics', lazy: () => import('./routes/analytics.tsx') },
  { path: 'reputation', lazy: () => import('./routes/reputation.tsx') },
  { path: 'billing', lazy: () => import('./routes/billing.tsx') },
  { path: 'approvals', lazy: () => import('./routes/approvals.tsx') },
  { path: 'approvals/:approvalId', lazy: () => import('./routes/approval.tsx') },
  { path: 'requests', lazy: () => import('./routes/requests.tsx') },
  { path: 'requests/:requestId', lazy: () => import('./routes/request.tsx') },
  { path: 'audit', lazy: () => import('./routes/audit.tsx') },
  { path: 'settings', lazy: () => import('./routes/settings.tsx') },
  { path: '*', lazy: () => import('./routes/not-found.tsx') },
];

export const router = createBrowserRouter([
  {
    ErrorBoundary: RouteFailure,
    HydrateFallback: Splash,
    children: [
      { Component: AuthLayout, children: withoutSession },
      {
        Component: RequireSession,
        children: [
          { index: true, lazy: () => import('./routes/home.tsx') },
          {
            lazy: async () => ({ Component: (await import('./shell/plain-layout.tsx')).PlainLayout }),
            children: withoutProject,
          },
          {
            path: 'p/:projectId',
            lazy: async () => ({ Component: (await import('./shell/project-scope.tsx')).ProjectScope }),
            children: [
              {
                lazy: async () => ({ Component: (await import('./shell/app-shell.tsx')).AppShell }),
                // A failure of a page leaves the navigation in place.
                children: [{ ErrorBoundary: RouteFailure, children: ofProject }],
              },
            ],
          },
        ],
      },
    ],
  },
]);
