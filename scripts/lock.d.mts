interface LockedPackage {
  version?: string
  integrity?: string
  dev?: boolean
  link?: boolean
  resolved?: string
}

export type LockedPackages = Record<string, LockedPackage>

export function neededBy(packages: LockedPackages, project: string): LockedPackages
