/** What a claim may take: emails in all, of each project, and of each owner. */
export interface Room {
  emails: number;
  projects: number;
  ofProject(projectId: string): number;
  /** and of each owner, if nothing else is claimed */
  ofTurn(key: string): number;
}
