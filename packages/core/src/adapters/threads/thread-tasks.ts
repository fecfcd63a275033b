/** The tasks of the product, served by the thread that imports this module. */
import { composeTask } from '../../sending/compose.task.ts';
import { linkTableTask } from '../../sending/link-table.task.ts';
import { readReportTask } from '../../sending/news/read-report.task.ts';
import { verifySignaturesTask } from '../../sending/news/verify-signatures.task.ts';
import { previewTask } from '../../sending/preview.task.ts';
import { renderSubjectsTask } from '../../sending/render-subjects.task.ts';
import { readSubmissionTask } from '../../sending/submission/read-submission.task.ts';
import { findSyntaxProblemsTask } from '../../templates/find-syntax-problems.task.ts';
import { fillInTask } from '../../workflows/runtime/fill-in.task.ts';
import { serveTasks } from './serve-tasks.ts';

serveTasks([
  composeTask,
  fillInTask,
  findSyntaxProblemsTask,
  linkTableTask,
  previewTask,
  readReportTask,
  readSubmissionTask,
  renderSubjectsTask,
  verifySignaturesTask,
]);
