/** Where the result is going to stand, which decides what must not get out of a value. */
export type Context = 'html' | 'text' | 'header'

/** A parsed template is plain data that never changes: it can be kept, shared between renders, and printed. */
export interface Template {
  readonly context: Context
  readonly body: Body
}

export interface Position {
  /** Both count from one, as editors do. */
  readonly line: number
  readonly column: number
}

export interface Problem extends Position {
  readonly message: string
}

export type Body = readonly Node[]

export type Node = Text | Output | If | For | Case | Assign | Capture | Jump

export interface Text {
  readonly kind: 'text'
  readonly text: string
}

export interface Output {
  readonly kind: 'output'
  readonly at: Position
  readonly value: Filtered
  /** Null where the value goes out as it is: outside of HTML, and after the `raw` filter. */
  readonly place: Place | null
}

export interface If {
  readonly kind: 'if'
  readonly at: Position
  /** The first branch that holds is rendered. */
  readonly branches: readonly Branch[]
}

export interface Branch {
  /** Null is `else`. */
  readonly when: Condition | null
  /** `unless` holds when its condition does not. */
  readonly negated: boolean
  readonly body: Body
}

export interface For {
  readonly kind: 'for'
  readonly at: Position
  readonly name: string
  readonly list: Operand
  readonly offset: Operand | null
  readonly limit: Operand | null
  readonly reversed: boolean
  readonly body: Body
  /** This body is rendered for an empty list. */
  readonly otherwise: Body
}

export interface Case {
  readonly kind: 'case'
  readonly at: Position
  readonly subject: Operand
  /** Every branch that names the subject is rendered, not only the first one. */
  readonly branches: readonly { readonly values: readonly Operand[]; readonly body: Body }[]
  readonly otherwise: Body
}

export interface Assign {
  readonly kind: 'assign'
  readonly at: Position
  readonly name: string
  readonly value: Filtered
}

export interface Capture {
  readonly kind: 'capture'
  readonly at: Position
  readonly name: string
  readonly body: Body
}

export interface Jump {
  readonly kind: 'break' | 'continue'
}

export interface Filtered {
  readonly operand: Operand
  readonly filters: readonly FilterCall[]
}

export interface FilterCall {
  readonly name: string
  readonly args: readonly Operand[]
}

export type Operand =
  | { readonly kind: 'constant'; readonly value: string | number | boolean | null }
  /** The words `empty` and `blank` equal every value that is empty or blank. */
  | { readonly kind: 'empty' | 'blank' }
  | { readonly kind: 'range'; readonly from: Operand; readonly to: Operand }
  | Path

export interface Path {
  readonly kind: 'path'
  readonly name: string
  /** A step is a property or an index; an operand is evaluated first, as in `names[index]`. */
  readonly steps: readonly (string | number | Operand)[]
}

/**
 * A condition like `a and b or c` has terms with a word between each two. Liquid reads it from the right: a and (b or
 * c).
 */
export interface Condition {
  readonly terms: readonly Comparison[]
  readonly joints: readonly ('and' | 'or')[]
}

export interface Comparison {
  readonly left: Operand
  /** Null asks whether `left` is anything but nil and false. */
  readonly operator: Operator | null
  readonly right: Operand | null
}

export type Operator = '==' | '!=' | '<' | '>' | '<=' | '>=' | 'contains'

/** The position of an output in the HTML, which decides how its value is escaped. */
export interface Place {
  readonly as: 'text' | 'attribute' | 'link' | 'css' | 'css-url' | 'sheet-url'
  /** The author left out the quotes around an attribute's value; they are written with the value. */
  readonly quotes: boolean
  /** The output is inside a comment, the conditional ones of Outlook included: no value may end it. */
  readonly comment: boolean
  /** The address of a link begins with this value; otherwise something stands before it. */
  readonly first: boolean
}
