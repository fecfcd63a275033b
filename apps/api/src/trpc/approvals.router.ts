import {
  approveApproval,
  declineApproval,
  getApproval,
  listApprovals,
  previewApproval,
} from '@postrider/core/insight/approvals';
import { asMutation, asQuery, t } from './trpc.ts';

export const approvalsRouter = t.router({
  list: asQuery(listApprovals),
  get: asQuery(getApproval),
  preview: asQuery(previewApproval),
  approve: asMutation(approveApproval),
  decline: asMutation(declineApproval),
});
