import { getApproval, listApprovals, requestApproval } from '@postrider/core/insight/approvals';
import { mutationField, recordField } from './fields.ts';
import { connectionField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

const Approval = objectFromZod(getApproval.output);

recordField('approval', getApproval, Approval);
connectionField('approvals', listApprovals, Approval, ({ createdAt }) => createdAt);
mutationField('requestCampaignApproval', requestApproval, Approval);
