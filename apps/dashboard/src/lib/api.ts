import type { AppRouter } from '@postrider/api/trpc';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { createTRPCContext } from '@trpc/tanstack-react-query';

/**
 * Two doors to one API. `account` asks as the user alone; `project` also names a project, and keeps what it learns under that
 * project's name, so that nothing of one project is ever shown in another.
 */
const account = createTRPCContext<AppRouter>();
const project = createTRPCContext<AppRouter, { keyPrefix: true }>();

export const AccountApiProvider = account.TRPCProvider;
export const useAccountApi = account.useTRPC;
export const ProjectApiProvider = project.TRPCProvider;
export const useApi = project.useTRPC;

/** A client of the API that carries the session cookie and, when given, the project. */
export const createClient = (projectId?: string) =>
  createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: '/trpc',
        maxURLLength: 4_000,
        headers: projectId === undefined ? {} : { 'x-project-id': projectId },
      }),
    ],
  });

type Inputs = inferRouterInputs<AppRouter>;
export type CampaignInput = Inputs['campaigns']['create'];

type Outputs = inferRouterOutputs<AppRouter>;

export type User = Outputs['users']['me'];
export type Project = Outputs['projects']['get'];
export type Overview = Outputs['analytics']['overview'];
export type Email = Outputs['emails']['list']['data'][number];
export type EmailDetail = Outputs['emails']['get'];
export type Domain = Outputs['domains']['list'][number];
export type Campaign = Outputs['campaigns']['get'];
export type CampaignStats = Outputs['campaigns']['stats'];
export type Contact = Outputs['contacts']['list']['data'][number];
export type ImportJob = Outputs['contacts']['getImport'];
export type BulkJob = Outputs['contacts']['getBulkJob'];
export type Template = Outputs['templates']['get'];
export type Segment = Outputs['segments']['get'];
export type Recipient = Outputs['campaigns']['recipients']['data'][number];
