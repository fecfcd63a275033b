/** What a claim may take: emails in all, of each project, and of each owner. */
export interface Room {
  emails: number;
  projects: number;
  ofProject(projectId: string): number;
  /** and of each owner, if nothing else is claimed */
  ofTurn(key: string): number;
}

export const noRoom: Room = { emails: 0, projects: 0, ofProject: () => 0, ofTurn: () => 0 };

/** What a claim may take that does not choose between routes: the room of the one that has most. */
export const widestOf = (rooms: readonly Room[]): Room =>
  rooms.reduce((widest, room) => (room.emails > widest.emails ? room : widest), noRoom);
