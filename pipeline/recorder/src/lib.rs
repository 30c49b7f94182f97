//! Records the changes of an X screen. The logic needs neither clock nor screen: `burst`, `picture`, `changes`.

pub mod burst;
pub mod changes;
pub mod clock;
pub mod matroska;
pub mod picture;
pub mod record;
pub mod rectangle;
pub mod screen;
pub mod shared_memory;
pub mod store;
pub mod tail;
pub mod zmbv;
