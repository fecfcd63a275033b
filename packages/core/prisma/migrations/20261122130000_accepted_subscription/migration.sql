-- What a mail of /v1/send says is fixed when it is accepted (B4.2): whether its contact was subscribed then.
ALTER TABLE "Email" ADD COLUMN "acceptedSubscribed" BOOLEAN;
