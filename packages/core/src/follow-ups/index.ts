export { createNewsAnnouncer } from './announce-news.ts';
export { findNeglectedNews } from './news.store.ts';
