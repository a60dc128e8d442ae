ALTER TABLE private.objects VALIDATE CONSTRAINT objects_bucket_check;
