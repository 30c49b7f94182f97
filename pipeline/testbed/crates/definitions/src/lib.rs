//! The definitions that results depend on: protocol stacks and networks, each with the digest that names it.

pub mod networks;
pub mod stacks;
