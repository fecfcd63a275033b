export { approveApproval, declineApproval } from './decide-approval.ts';
export { judgeAgent } from './judge-agent.ts';
export { getApproval, listApprovals } from './list-approvals.ts';
export { previewApproval } from './preview-approval.ts';
export { requestApproval } from './request-approval.ts';
export { endInterruptedApprovals, sweepApprovals } from './run-direct.ts';
export { titles } from './titles.rules.ts';
