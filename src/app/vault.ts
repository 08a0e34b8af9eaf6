import type { Config } from '../config/schema.ts'
import { PostgresBlobs, S3Blobs, type Blobs } from '../storage/blobs.ts'
import type { Database } from '../storage/postgres.ts'
import { S3Bucket } from '../storage/s3.ts'
import { tokenKeys, type TokenKeys } from '../core/token.ts'
import { loadMasterKeys, Secrets } from '../storage/secrets.ts'

/** What is kept for resources that must not keep it themselves: secrets under lock, bytes out of the way. */
export class Vault {
  readonly blobs: Blobs
  readonly #masterKey: { dataDir: string; given: string | undefined }
  #secrets: Secrets | undefined
  #mailTokenKeys: TokenKeys | undefined
  #auditKey: Buffer | undefined

  constructor(config: Config, db: Database) {
    this.blobs = blobsOf(config, db)
    this.#masterKey = { dataDir: config.dataDir, given: config.masterKey }
  }

  /** The master key is read, or made, when it is first needed: a command that needs none leaves no file behind. */
  get secrets(): Secrets {
    return (this.#secrets ??= new Secrets(loadMasterKeys(this.#masterKey)))
  }

  /** Names addresses in the audit log. */
  get auditKey(): Buffer {
    return (this.#auditKey ??= this.secrets.derive('audit-addresses'))
  }

  /** For what leaves us in mail and has to come back unforged. */
  get mailTokenKeys(): TokenKeys {
    return (this.#mailTokenKeys ??= tokenKeys(this.secrets.deriveAll('mail-tokens')))
  }
}

function blobsOf(config: Config, db: Database): Blobs {
  const { s3Endpoint: endpoint, s3Bucket: bucket, s3Region: region } = config
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config
  if (endpoint === undefined || bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) {
    return new PostgresBlobs(db)
  }
  return new S3Blobs(new S3Bucket({ endpoint, bucket, region, accessKeyId, secretAccessKey }))
}
