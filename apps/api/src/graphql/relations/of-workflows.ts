import { getContacts } from '@postrider/core/audience/contacts';
import { getEvents } from '@postrider/core/audience/events';
import {
  getSteps,
  getWorkflows,
  listExecutionsOfEach,
  listStepsOfEach,
} from '@postrider/core/automation/workflows';
import { listEmailsOfEach } from '@postrider/core/mail/sending';
import { Contact } from '../contacts.ts';
import { Email } from '../emails.ts';
import { Event } from '../events.ts';
import { nestedConnection } from '../lists.ts';
import { objectFromZod } from '../object-from-zod.ts';
import { Execution, Workflow, WorkflowDetail, WorkflowListItem } from '../workflows.ts';
import { attachedList, relationField } from './relation-fields.ts';

const ExecutionStep = objectFromZod(getSteps.output.element);
const StepExecution = objectFromZod(listStepsOfEach.output.element.shape.stepExecutions.element);

relationField(Execution, 'contact', Contact, getContacts, ({ contactId }) => contactId);
relationField(Execution, 'workflow', Workflow, getWorkflows, ({ workflowId }) => workflowId);
relationField(
  Execution,
  'currentStep',
  ExecutionStep,
  getSteps,
  ({ currentStepId }) => currentStepId,
  'Step that it is at; null once it is over.',
);
relationField(
  Execution,
  'sourceEvent',
  Event,
  getEvents,
  ({ sourceEventId }) => sourceEventId,
  'Event that started it; null without one, or once it is deleted.',
);
nestedConnection(Execution, 'emails', listEmailsOfEach, Email, {
  description: 'Emails that it sent, newest first.',
  fixed: { parent: 'workflowExecutionId' },
  sortedBy: ({ createdAt }) => createdAt,
});
attachedList(
  Execution,
  'stepExecutions',
  StepExecution,
  listStepsOfEach,
  'stepExecutions',
  'Steps that it took, in order of start.',
);

for (const type of [Workflow, WorkflowListItem, WorkflowDetail])
  nestedConnection(type, 'latestExecutions', listExecutionsOfEach, Execution, {
    description: 'Executions of the workflow, newest first.',
    fixed: { parent: 'workflowId' },
    sortedBy: ({ createdAt }) => createdAt,
  });
