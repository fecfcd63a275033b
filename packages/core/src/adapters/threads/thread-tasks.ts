/** The tasks of the product, served by the thread that imports this module. */

import { readContentTask } from '../../automation/preflight/content/read-content.task.ts';
import { fillInTask } from '../../automation/workflows/runtime/fill-in.task.ts';
import { readTextsTask } from '../../content/templates/read-texts.task.ts';
import { composeTask } from '../../mail/message/compose.task.ts';
import { findGapsTask } from '../../mail/message/find-gaps.task.ts';
import { linkTablesTask } from '../../mail/message/link-table.task.ts';
import { previewTask } from '../../mail/message/preview.task.ts';
import { renderSubjectsTask } from '../../mail/message/render-subjects.task.ts';
import { readReportTask } from '../../mail/news/read-report.task.ts';
import { verifySignaturesTask } from '../../mail/news/verify-signatures.task.ts';
import { readSubmissionTask } from '../../mail/submission/read-submission.task.ts';
import { serveTasks } from './serve-tasks.ts';

serveTasks([
  composeTask,
  fillInTask,
  findGapsTask,
  linkTablesTask,
  previewTask,
  readContentTask,
  readReportTask,
  readSubmissionTask,
  readTextsTask,
  renderSubjectsTask,
  verifySignaturesTask,
]);
