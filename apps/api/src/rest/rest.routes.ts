import { getCampaign } from '@postrider/core/campaigns';
import { getContact } from '@postrider/core/contacts';
import { createDomain } from '@postrider/core/domains';
import { recordEvent } from '@postrider/core/events';
import type { Services } from '@postrider/core/kernel';
import { getProject } from '@postrider/core/projects';
import { getSegment } from '@postrider/core/segments';
import { listEmails } from '@postrider/core/sending';
import { getTemplate } from '@postrider/core/templates';
import { getMe } from '@postrider/core/users';
import { addStep, addTransition, startExecution, updateWorkflow } from '@postrider/core/workflows';
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

/** Records that come back often, by the name that the OpenAPI document gives them. */
const records = {
  Campaign: getCampaign.output,
  Contact: getContact.output,
  Domain: createDomain.output,
  Event: recordEvent.output,
  Execution: startExecution.output,
  Step: addStep.output,
  Transition: addTransition.output,
  Workflow: updateWorkflow.output,
  Email: listEmails.output.shape.data.element,
  Project: getProject.output,
  Segment: getSegment.output,
  Template: getTemplate.output,
  User: getMe.output,
};

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
  mountDocs(door, records);
  return door;
}
