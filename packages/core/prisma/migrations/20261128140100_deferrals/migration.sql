-- Temporary refusals of an email, so that its attempts have a history.
ALTER TYPE "InteractionType" ADD VALUE 'deferral' AFTER 'delay';
