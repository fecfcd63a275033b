import type { Services } from '@postrider/core/kernel';
import type { FastifyInstance } from 'fastify';
import { mountCampaigns } from './campaigns.routes.ts';
import { mountConfig } from './config.routes.ts';
import { mountContacts } from './contacts.routes.ts';
import { mountDocs } from './docs.routes.ts';
import { mountDomains } from './domains.routes.ts';
import type { RestDoor } from './door.ts';
import { mountEvents } from './events.routes.ts';
import { mountHealth } from './health.routes.ts';
import { mountMetrics } from './metrics.routes.ts';
import { mountProjects } from './projects.routes.ts';
import { mountSegments } from './segments.routes.ts';
import { mountSending } from './sending.routes.ts';
import { mountSuppressions } from './suppressions.routes.ts';
import { mountTemplates } from './templates.routes.ts';
import { mountUsers } from './users.routes.ts';
import { mountWorkflows } from './workflows.routes.ts';

export function openRestDoor(app: FastifyInstance, services: Services): RestDoor {
  const door: RestDoor = { app, services, endpoints: [] };
  mountSending(door);
  mountEvents(door);
  mountContacts(door);
  mountSuppressions(door);
  mountTemplates(door);
  mountSegments(door);
  mountCampaigns(door);
  mountWorkflows(door);
  mountDomains(door);
  mountUsers(door);
  mountProjects(door);
  mountConfig(door);
  mountHealth(door);
  mountMetrics(door);
  mountDocs(door);
  return door;
}
